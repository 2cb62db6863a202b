"""What commands are answered with: a step as a reply, what comes next, what would work instead, a crash's rest."""
