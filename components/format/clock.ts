import { ownDigits } from './localeText';

/** Seconds as "3:05", from an hour on as "1:03:05", in the digits that begin with `zero`. */
export function clockOf(seconds: number, zero: string): string {
  const whole = Math.floor(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const tail = String(rest).padStart(2, '0');
  const text = hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
  return ownDigits(text, zero);
}
