import { PreviewFrame } from '../../admin/previews/PreviewFrame';
import { useSite } from '../../api/site';
import { ItemArticle } from '../../catalogue/item/ItemArticle';
import type { ItemPreviewProps } from '../../contracts/schema';
import { formatOf } from '../../format/format';

/** The page of an item as the shop would show it now, whatever its state is. */
export function AdminItemPreviewPage({ backHref, note, item }: ItemPreviewProps) {
  const format = formatOf(useSite());
  return (
    <PreviewFrame kind="item" backHref={backHref} note={note}>
      <ItemArticle item={item} format={format} actions={null} />
    </PreviewFrame>
  );
}
