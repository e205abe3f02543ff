import type {
  CourseClosing,
  CourseKeeping,
  CourseListChange,
  CoursePublication,
  CourseRetirement,
  CourseSaved,
  NewCourse,
  PriceSaved,
  PriceSetting,
  StaffOutcome,
} from '../../contracts/schema';
import { post, put } from '../client';

/** Each may reject with ApiProblem; those with a version also for what somebody else has saved since. */
export const createCourse = (course: NewCourse) => post<CourseSaved>('/admin/courses', course);
export const saveLists = (id: number, lists: CourseListChange) =>
  put<CourseSaved>(`/admin/courses/${id}/lists`, lists);
export const duplicateCourse = (id: number) => post<CourseSaved>(`/admin/courses/${id}/duplicate`, {});

/** A course or shop item. */
type Product = { kind: 'course' | 'item'; courseId: number };
const pathOf = ({ kind, courseId }: Product) =>
  `/admin/${kind === 'course' ? 'courses' : 'items'}/${courseId}`;

export const renameCourse = (id: number, slug: string) =>
  post<CourseSaved>(`/admin/courses/${id}/rename`, { slug });
export const publishProduct = (product: Product, publication: CoursePublication) =>
  post<CourseSaved>(`${pathOf(product)}/publish`, publication);
export const withdrawProduct = (product: Product, version: number) =>
  post<CourseSaved>(`${pathOf(product)}/withdraw`, { version });
export const retireProduct = (product: Product, retirement: CourseRetirement) =>
  post<CourseSaved>(`${pathOf(product)}/retire`, retirement);

/** Both need a recent sign-in. */
export const closeCourse = (id: number, closing: CourseClosing) =>
  post<StaffOutcome>(`/admin/courses/${id}/close`, closing);
export const keepCourseOpen = (id: number, keeping: CourseKeeping) =>
  post<StaffOutcome>(`/admin/courses/${id}/keep-open`, keeping);

/** `isDraftOnly`: by somebody who may price drafts alone. */
export const savePrice = (id: number, price: PriceSetting, isDraftOnly: boolean) =>
  put<PriceSaved>(`/admin/products/${id}/${isDraftOnly ? 'draft-price' : 'price'}`, price);
export const withdrawPrice = (id: number) => post<PriceSaved>(`/admin/prices/${id}/withdraw`, {});
