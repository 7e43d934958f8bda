# want: CE no_entry_point
# source: ""
