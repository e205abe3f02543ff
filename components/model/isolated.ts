/** Letters and digits that are read from the right, and the mark of that direction; domain/text_direction.py has them too. */
const FROM_RIGHT = /[\u0590-\u08ff\u200f\ud83a]/;

export const isFromRight = (text: string) => FROM_RIGHT.test(text);

/**
 * A name, number or day to put into a sentence: with signs around it where it is read from the right, so that its
 * neighbours keep their places (contracts/cases/directions.json). What ends its sentence without a sign needs none.
 */
export const isolated = (text: string) => (isFromRight(text) ? `\u2068${text}\u2069` : text);
