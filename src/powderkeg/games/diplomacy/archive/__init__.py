"""Games that were played elsewhere: read, played again under our rules, written."""
