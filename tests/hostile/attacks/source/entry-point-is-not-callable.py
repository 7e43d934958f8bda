# want: CE no_entry_point
solve = 3
