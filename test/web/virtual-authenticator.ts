/** The virtual device of a browser, which makes and uses passkeys without anybody touching it. */
import type { Page } from "playwright-core";

export interface VirtualAuthenticator {
  /** How many passkeys it holds. */
  readonly passkeys: () => Promise<number>;
  /** Whether its owner shows that it is him, as by a fingerprint. */
  readonly setVerified: (isVerified: boolean) => Promise<void>;
}

/** Gives a page's browser such a device. */
export async function addVirtualAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    passkeys: async () => (await devtools.send("WebAuthn.getCredentials", { authenticatorId })).credentials.length,
    setVerified: async (isUserVerified) => {
      await devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified });
    },
  };
}
