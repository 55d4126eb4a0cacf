"""What a table shows and tells: the board as a picture, scenes of what happened, the score pad."""
