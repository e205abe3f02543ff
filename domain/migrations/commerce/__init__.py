"""The tables of selling as 0006_commerce creates them, a file for each group."""
