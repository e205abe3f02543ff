/** List entries with their index as key, for lists that never change order: imported texts may repeat. */
export function numbered<T>(items: readonly T[]): { key: number; value: T }[] {
  return items.map((value, key) => ({ key, value }));
}
