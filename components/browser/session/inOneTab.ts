/** Runs `work`; `isAlone` is false while another tab runs it under the same name. Without https nobody is told. */
export function inOneTab<T>(name: string, work: (isAlone: boolean) => Promise<T>): Promise<T> {
  if (!navigator.locks) return work(true);
  return navigator.locks.request(name, { ifAvailable: true }, (lock) => work(lock !== null));
}
