/** Texts that the specification gives word for word (§4, §8); spelling as given. */
export const added = (name: string) => `${name} added to cart`;
export const decremented = (name: string) => `Decrement Quantity For ${name}`;
export const removed = (name: string) => `${name} remove to cart`;
export const CLEAR_QUESTION = 'Are you sure deleted your all cart items ?';
