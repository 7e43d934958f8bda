# want: AC
# calls: landlock_create_ruleset 444 0 0 1
# calls: landlock_add_rule 445
# calls: landlock_restrict_self 446 3
