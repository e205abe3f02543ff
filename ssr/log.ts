/** Writes one line to stderr, in the form of the host's logs: text, or JSON with LOG_FORMAT=json. */
export function log(level: 'WARNING' | 'ERROR', message: string, requestId = ''): void {
  process.stderr.write(`${line(level, message, requestId, new Date())}\n`);
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
