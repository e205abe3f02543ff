import { isolated } from '../../model/isolated';

/** Texts that the specification prescribes (§4, §8), with its spelling. */
export const added = (name: string) => `${isolated(name)} added to cart`;
export const decremented = (name: string) => `Decrement Quantity For ${name}`;
export const removed = (name: string) => `${isolated(name)} remove to cart`;
export const CLEAR_CONFIRMATION = 'Are you sure deleted your all cart items ?';
