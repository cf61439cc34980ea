import APNSModel
import APNSProvider

extension CredentialChoice {
    static let missingTopic = CommandError(
        "the topic is missing: give --topic with the bundle id of the app, or set APNS_TOPIC", .badArguments)

    /// The topic as a type; nil where none was given.
    func checkedTopic() throws(CommandError) -> Topic? {
        guard let topic else { return nil }
        guard let checked = Topic(topic) else {
            throw CommandError(
                "the topic \"\(PlainText.safe(ShownText.cut(topic, to: 80)))\" must be a bundle id such as com.example.app",
                .badArguments)
        }
        return checked
    }

    func neededTopic() throws(CommandError) -> Topic {
        guard let topic = try checkedTopic() else { throw CredentialChoice.missingTopic }
        return topic
    }

    /// Makes a provider, or a manager of channels. The error names the files that may be its cause.
    func open<Value>(_ make: () throws(ProviderConfigurationError) -> Value) throws(CommandError) -> Value {
        do throws(ProviderConfigurationError) {
            return try make()
        } catch {
            throw CommandError("\(namesOfTLSFiles) cannot be used: \(error.detail)")
        }
    }
}
