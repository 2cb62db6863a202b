"""What the referee replies: to a step, to a slip with what would work, with what comes next; and after a crash."""
