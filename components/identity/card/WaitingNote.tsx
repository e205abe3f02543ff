/** What waits behind a sign-in or a registration, in words. */
export function WaitingNote({ text }: { text?: string }) {
  return text ? <p className="identity__learner">{text}</p> : null;
}
