import redaction from '../contracts/cases/redaction.json';
import { line, log, withoutEmails } from './log';

const NOON = new Date('2026-01-31T12:00:00.250Z');

describe('a line of the log', () => {
  afterEach(() => {
    delete process.env.LOG_FORMAT;
  });

  it('names time, level, logger and request as the host does', () => {
    expect(line('ERROR', 'job 7 failed', 'a1b2c3d4e5f60718', NOON)).toBe(
      '2026-01-31T12:00:00.250Z ERROR coursefront.ssr [a1b2c3d4e5f60718] job 7 failed',
    );
    expect(line('WARNING', 'a\nb', '', NOON)).toBe(
      '2026-01-31T12:00:00.250Z WARNING coursefront.ssr a\n    b',
    );
  });

  it('is one JSON object with the same keys as the host writes', () => {
    process.env.LOG_FORMAT = 'json';
    expect(JSON.parse(line('ERROR', 'a\nb', 'a1b2c3d4e5f60718', NOON))).toEqual({
      level: 'ERROR',
      logger: 'coursefront.ssr',
      message: 'a\nb',
      process: process.pid,
      request_id: 'a1b2c3d4e5f60718',
      time: '2026-01-31T12:00:00.250Z',
    });
    expect(JSON.parse(line('ERROR', 'a', '', NOON))).not.toHaveProperty('request_id');
  });
});

describe('what is logged', () => {
  afterEach(() => {
    delete process.env.LOG_LEVEL;
    jest.restoreAllMocks();
  });

  it.each(redaction.text)('$name', ({ text, kept }) => {
    expect(withoutEmails(text)).toBe(kept);
  });

  it('has no email address, and a line of each render only with LOG_LEVEL=DEBUG', () => {
    const written = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    log('DEBUG', 'job 1 rendered shop');
    process.env.LOG_LEVEL = 'DEBUG';
    log('DEBUG', 'job 2 rendered shop');
    log('ERROR', 'job 3 failed: ada@example.test has no name');
    const lines = written.mock.calls.map(([text]) => String(text).replace(/^\S+ /, ''));
    expect(lines).toEqual([
      'DEBUG coursefront.ssr job 2 rendered shop\n',
      'ERROR coursefront.ssr job 3 failed: {email} has no name\n',
    ]);
  });
});
