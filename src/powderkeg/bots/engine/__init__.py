"""Search that works for every game: budgets, knowledge of a game, one-ply, tree search, regret matching."""
