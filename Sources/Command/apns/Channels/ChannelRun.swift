import APNSModel
import APNSProvider
import PayloadJSON

/// One run of a subcommand of `apns channels`.
struct ChannelRun: Sendable {
    let manager: ChannelManager
    let app: Topic
    let isJSON: Bool
    let gateway: APNSGateway
    let output: Output

    static let exitStatusHelp = """
        EXIT STATUS: 0 done; 1 the gateway refused a request; 2 there is no answer; 64 bad arguments.

        \(CredentialOptions.environmentHelp)
        """

    init(_ options: ChannelOptions, _ output: Output = .standard) throws {
        let choice = try CredentialChoice.find(options.credentials, topic: options.topic?.value)
        var configuration = try choice.configuration(for: choice.gateway.channelManagement)
        configuration.timeout = options.timeout
        configuration.connectAttempts = 4
        app = try choice.neededTopic()
        manager = try choice.open { () throws(ProviderConfigurationError) in
            try ChannelManager(configuration, logger: .silent("apns.channels"))
        }
        self.output = output
        isJSON = options.json
        gateway = choice.gateway.channelManagement
    }

    /// Makes one request and prints its result, or why there is none. A signal ends the wait for the answer.
    ///
    /// - Parameters:
    ///   - channelID: The channel that it is about, for a refusal.
    ///   - print: The lines of the result.
    func request<Value: Sendable>(
        about channelID: ChannelID? = nil,
        _ request: @escaping @Sendable (ChannelManager, Topic) async throws(ChannelError) -> Value,
        lines: (Value) -> [String]
    ) async throws -> ExitStatus {
        let result = await cancelledBySignals { [manager, app] () async -> Result<Value, ChannelError> in
            do throws(ChannelError) {
                return .success(try await request(manager, app))
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let value):
            for line in lines(value) { output.result(line) }
            return .done
        case .failure(let error):
            guard let refusal = error.refusal else {
                let advice = ReportedErrors.adviceAboutHost(error.detail, gateway).map { "\n    \($0)" } ?? ""
                throw CommandError("\(gateway): \(PlainText.safe(error.detail))\(advice)")
            }
            output.result(isJSON ? json(refusal, error.requestID, channelID) : text(refusal, channelID))
            return .no
        }
    }

    /// Closes the connection and ends with the status.
    func end(_ status: ExitStatus) async throws {
        await manager.close(within: .seconds(1))
        try output.finish()
        try status.end()
    }

    private func text(_ refusal: Refusal, _ channelID: ChannelID?) -> String {
        let style = output.results
        let channel = channelID.map { "\($0) " } ?? ""
        return "\(style.bad("✗")) \(channel)refused   \(RefusalText.reason(refusal.reason, style: style))"
            + "\n    \(RefusalAdvice.line(for: refusal.reason))"
    }

    private func json(_ refusal: Refusal, _ requestID: String, _ channelID: ChannelID?) -> String {
        let channel = channelID.map { JSONWriter.quoted($0.base64) } ?? "null"
        return #"{"apns-channel-id":\#(channel),"apns-request-id":\#(JSONWriter.quoted(requestID)),"#
            + "\(RefusalText.members(refusal))}"
    }
}
