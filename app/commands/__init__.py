"""What each command does, one module a command: parts in, something printed, a plain answer out."""
