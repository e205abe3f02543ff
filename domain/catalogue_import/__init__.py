"""Courses and shop items from CSV or JSON files.

    # Reads all and changes nothing.
    plan = catalogue_import.check(path, "courses", currency, ColumnRules({"their_column": "name"}))
    result = catalogue_import.write_plan(plan, database.write_session, at, progress)   # 500 rows per transaction

A file that cannot be read raises ImportRefused with one sentence; a bad row is skipped and reported with its line and
reason. The modules in the order of the data: read_lines, parse, columns, values, shared_fields, courses or items,
validate, write. presets, words, durations, times, identity and html_text hold what they know of files and people.
"""
