/** Lists that never change order, with their place as key: imported texts may repeat themselves. */
export function numbered<T>(items: readonly T[]): { key: number; value: T }[] {
  return items.map((value, key) => ({ key, value }));
}
