import { previewItem, saveItemTexts } from '../../api/admin/items';
import type { ItemText, ItemTextsProps } from '../../contracts/schema';
import { type ProductTexts, ProductTextsForm, textsIn } from '../texts/ProductTextsForm';

const TEXTS: ProductTexts<ItemText> = { read: textsIn, save: saveItemTexts, preview: previewItem };

/** The texts of a shop item: it has none but those that courses have too. */
export function ItemTextsForm(props: ItemTextsProps) {
  return <ProductTextsForm {...props} texts={TEXTS} />;
}
