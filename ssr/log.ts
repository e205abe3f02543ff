// As domain/redaction.py: a regular expression for the address itself could take minutes for a long run of @.
const WORD = /[^\s&=/?]+/g;

/** Writes one line to stderr, in the form of the host's logs: text, or JSON with LOG_FORMAT=json. */
export function log(level: 'DEBUG' | 'WARNING' | 'ERROR', message: string, requestId = ''): void {
  if (level === 'DEBUG' && process.env.LOG_LEVEL !== 'DEBUG') return;
  process.stderr.write(`${line(level, withoutEmails(message), requestId, new Date())}\n`);
}

/** An error may quote the data of the page that it ended (contracts/cases/redaction.json). */
export function withoutEmails(text: string): string {
  return text.replace(WORD, (word) => (isEmail(word) ? '{email}' : word));
}

function isEmail(word: string): boolean {
  const plain = word.replaceAll('%40', '@');
  const at = plain.indexOf('@', 1);
  return at > 0 && plain.slice(at + 2, -1).includes('.');
}

export function line(level: string, message: string, requestId: string, now: Date): string {
  const logger = 'coursefront.ssr';
  const time = now.toISOString();
  if (process.env.LOG_FORMAT === 'json')
    return JSON.stringify({
      level,
      logger,
      message,
      process: process.pid,
      ...(requestId && { request_id: requestId }),
      time,
    });
  const reference = requestId && ` [${requestId}]`;
  // Lines after the first are indented: a line break in a message cannot forge a line of the log.
  return `${time} ${level} ${logger}${reference} ${message}`.replaceAll('\n', '\n    ');
}
