/** The four fields of specification §3, couponInfo, in major units. */
export type CouponInfo = {
  discountPercentage: number;
  minimumAmount: number;
  discountProductType: string;
  discountAmount: number;
};
