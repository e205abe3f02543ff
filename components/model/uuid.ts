/** A random UUID v4; crypto.randomUUID exists only on secure origins, getRandomValues everywhere. */
export function newUuid(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  // The digit of the variant may be 8 to b; it is always 8.
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-8$4-');
}

/** A UUID v7: it begins with the time, so that ids of new visits are neighbours in the database's index. */
export function newTimedUuid(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${newUuid().slice(15)}`;
}
