"""Writes the catalogue: the seed, the importer and the admin commands all use this package.

    course_id = publishing.put_course(session, CourseRecord(slug="vat-basics", …), at)
    result = publishing.put_courses(session, records, at)      # a batch of hundreds, with few statements

Putting an equal record again changes nothing, not even `updated_at`. Every change increments the catalogue's version in
the same transaction, so that caches notice it. A record that should be published but lacks something for its page is
stored as a draft; `WriteResult.kept_as_draft` gives the reasons (publish_rules.py).
"""
