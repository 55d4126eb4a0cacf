"""The cards: packs, the tool that shows and corrects them, and the examples that check them."""
