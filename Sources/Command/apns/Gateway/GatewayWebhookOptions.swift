import ArgumentParser
import GatewayConfiguration

/// Where events are posted.
struct GatewayWebhookOptions: GatewayOptionGroup {
    @Option(.webhook, transform: GatewayWebhookOptions.url) var webhooks: [WebhookURL] = []
    @Option(.webhookCA) var webhookCA: String?
    @Flag(.remoteWebhooks) var remoteWebhooks = false

    var options: [(setting: GatewaySetting, isGiven: Bool)] {
        [(.webhook, !webhooks.isEmpty), (.webhookCA, webhookCA != nil), (.remoteWebhooks, remoteWebhooks)]
    }

    private static func url(_ text: String) throws -> WebhookURL {
        guard let url = WebhookURL(text) else { throw ValidationError("it must have the form \(WebhookURL.form)") }
        return url
    }

    func apply(to configuration: inout GatewayConfiguration) throws {
        configuration.webhooks += webhooks
        if let webhookCA {
            configuration.webhookCA = try CommandError.rethrowing { () throws(FileError) in
                try InputFile.bytes(of: webhookCA, limit: GatewayConfigurationFile.maximumBytes)
            }
        }
        if remoteWebhooks { configuration.allowsRemoteWebhooks = true }
    }
}
