import type { ImageRequest, ImageStatus, ProductImage, ProductImageSet } from '../../contracts/schema';
import { get, post } from '../client';

/** Each may reject with ApiProblem. */
export const sendImage = (body: ImageRequest) => post<ImageStatus>('/admin/images', body);

export const readImage = (id: number) => get<ImageStatus>(`/admin/images/${id}`);

export const setProductImage = (productId: number, body: ProductImage) =>
  post<ProductImageSet>(`/admin/products/${productId}/image`, body);
