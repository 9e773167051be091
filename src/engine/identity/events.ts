/** Events of how people sign in. */
declare module "../event.ts" {
  interface RareEvents {
    /** An account has an e-mail address to sign in with. */
    identity_created: { readonly userId: number };
    /** Its password or second factors are others. */
    identity_changed: { readonly userId: number };
    session_begun: { readonly userId: number; readonly sessionId: number };
    session_ended: { readonly userId: number; readonly sessionId: number };
  }
}

export {};
