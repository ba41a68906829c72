/** The page of the back office on which users create payment links. */
export const CREATE_LINK_PATH = "/dashboard/links?create=1";
