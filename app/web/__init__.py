"""HTTP, and the only place that knows it: a request comes in, one of the program's nouns goes on."""
