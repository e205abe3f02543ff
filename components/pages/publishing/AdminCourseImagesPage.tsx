import { ProductImagePage } from '../../admin/images/ProductImagePage';
import type { ProductImageProps } from '../../contracts/schema';

export function AdminCourseImagesPage(props: ProductImageProps) {
  return <ProductImagePage {...props} />;
}
