"""Courses as files of other systems: Common Cartridge and Open edX's OLX are read, Common Cartridge is written."""
