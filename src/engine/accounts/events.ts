/** Events of users, their fee levels and their keys. */
declare module "../event.ts" {
  interface RareEvents {
    user_created: { readonly userId: number };
    user_changed: { readonly userId: number };
    fee_level_set: { readonly level: string };
    fee_level_deleted: { readonly level: string };
    api_key_created: { readonly accessId: string; readonly userId: number };
    api_key_changed: { readonly accessId: string; readonly userId: number };
    api_key_deleted: { readonly accessId: string; readonly userId: number };
  }
}

export {};
