"""The catalogue as Next and React Router would serve it: built from registry packages when it is measured."""
