package import APNSPayload
package import APNSProvider
package import WorkerCore

/// A tenant with what its pushes are sent with.
package struct WorkerTenant: Sendable {
    package var settings: TenantSettings
    /// Values for what its envelopes leave out.
    package var defaults: EnvelopeDefaults
    /// Opens its provider. Called when its first push is sent.
    package var open: @Sendable () throws(ProviderConfigurationError) -> PushProvider

    package init(
        settings: TenantSettings, defaults: EnvelopeDefaults,
        open: @escaping @Sendable () throws(ProviderConfigurationError) -> PushProvider
    ) {
        self.settings = settings
        self.defaults = defaults
        self.open = open
    }
}
