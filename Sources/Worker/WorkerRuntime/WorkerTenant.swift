package import APNSPayload
package import APNSProvider
package import WorkerCore

/// A tenant with what its pushes are sent with.
package struct WorkerTenant: Sendable {
    package var settings: TenantSettings
    /// What its envelopes do not have.
    package var defaults: EnvelopeDefaults
    package var configuration: ProviderConfiguration

    package init(settings: TenantSettings, defaults: EnvelopeDefaults, configuration: ProviderConfiguration) {
        self.settings = settings
        self.defaults = defaults
        self.configuration = configuration
    }
}
