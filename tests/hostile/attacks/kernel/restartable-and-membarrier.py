# want: AC
# calls: membarrier 324 1
# calls: cachestat 451
# calls: map_shadow_stack 453
# calls: set_robust_list-of-another 274 1
