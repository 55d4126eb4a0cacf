"""`powderkeg cards`: the commands, and card packs as people write them."""
