import type {
  CourseListChange,
  CoursePreview,
  CoursePublication,
  CourseRetirement,
  CourseSaved,
  CourseText,
  CourseTextChange,
  NewCourse,
  PriceSaved,
  PriceSetting,
} from '../../contracts/schema';
import { post, put } from '../client';

/** Each may reject with ApiProblem; those with a version also for what somebody else has saved since. */
export const createCourse = (course: NewCourse) => post<CourseSaved>('/admin/courses', course);
export const saveTexts = (id: number, texts: CourseTextChange) =>
  put<CourseSaved>(`/admin/courses/${id}/texts`, texts);
export const saveLists = (id: number, lists: CourseListChange) =>
  put<CourseSaved>(`/admin/courses/${id}/lists`, lists);
export const previewTexts = (id: number, texts: CourseText) =>
  post<CoursePreview>(`/admin/courses/${id}/preview`, texts);
export const duplicateCourse = (id: number) => post<CourseSaved>(`/admin/courses/${id}/duplicate`, {});
export const renameCourse = (id: number, slug: string) =>
  post<CourseSaved>(`/admin/courses/${id}/rename`, { slug });
export const publishCourse = (id: number, publication: CoursePublication) =>
  post<CourseSaved>(`/admin/courses/${id}/publish`, publication);
export const withdrawCourse = (id: number, version: number) =>
  post<CourseSaved>(`/admin/courses/${id}/withdraw`, { version });
export const retireCourse = (id: number, retirement: CourseRetirement) =>
  post<CourseSaved>(`/admin/courses/${id}/retire`, retirement);

/** `isDraftOnly`: by somebody who may price drafts alone. */
export const savePrice = (id: number, price: PriceSetting, isDraftOnly: boolean) =>
  put<PriceSaved>(`/admin/products/${id}/${isDraftOnly ? 'draft-price' : 'price'}`, price);
export const withdrawPrice = (id: number) => post<PriceSaved>(`/admin/prices/${id}/withdraw`, {});
