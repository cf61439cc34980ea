import APNSSender

/// Needs Apple's gateway and a key of a team, so it is compiled and not run.
func sendTheFirst() async throws {
    let provider = try PushProvider(
        ProviderConfiguration(
            gateway: .sandbox, credentials: .token(path: "AuthKey_ABC123DEFG.p8", teamID: "TEAM123456")))
    let notification = APNSNotification(
        AlertPush("Hello"),
        to: try DeviceToken(parsing: "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0"),
        of: try Topic(parsing: "com.example.app"))
    let reply = try await provider.send(notification)
    print(reply)  // accepted, apns-id 7E8B…; or: refused, BadDeviceToken (400), apns-id 7E8B…
    await provider.close()
}

/// Needs a gateway simulator in another process.
func sendToTheSimulator(_ credentials: ProviderConfiguration.Credentials) throws {
    let simulated = try PushProvider(.simulator())  // reads certs/dev, which `apns gateway` makes
    let live = try PushProvider(ProviderConfiguration(gateway: .production, credentials: credentials))
    let behindAFirewall = ProviderConfiguration(gateway: .production(port: .alternative), credentials: credentials)
    _ = (simulated, live, behindAFirewall)
}

/// Needs a key in the environment.
func readTheKey() throws {
    let credentials = try ProviderConfiguration.Credentials.token(
        environment: "APNS_KEY_TEXT", keyID: "ABC123DEFG", teamID: "TEAM123456")
    _ = credentials
}

/// What the app sends to the server in these forms becomes a device token, or a sentence for the log.
func readDeviceTokens(_ data: [UInt8], _ body: String) throws {
    let fromBytes = try DeviceToken(parsing: data)  // a Data as the system gave it
    let fromText = try DeviceToken(parsing: body)  // "00fc13ad…"
    _ = (fromBytes, fromText)
}

struct Order: Codable {
    var number: Int
    var lines: [String]
}

struct OrderPayload: Encodable {
    struct APS: Encodable {
        var alert: String
    }

    var aps: APS
    var order: Order
}

func notifications(about order: Order, to device: DeviceToken, of app: Topic) throws -> [APNSNotification] {
    let push = AlertPush("Your order is ready", sound: .standard, custom: try CustomData(encoding: order))
    let typed = APNSNotification(push, to: device, of: app, expiration: .after(.seconds(3600)))

    let payload = OrderPayload(aps: .init(alert: "Your order is ready"), order: order)
    let encoded = try APNSNotification(encoding: payload, as: .alert, to: device, of: app)
    return [typed, encoded]
}

/// Where the service keeps the device tokens of its users.
protocol DeviceTable: Sendable {
    /// - Parameter time: Milliseconds since 1970. A device token that the app reported after it stays.
    func remove(_ device: DeviceToken, unlessReportedAfter time: Int64) async
}

struct Pushes: Sendable {
    let sender: any PushSending
    let devices: any DeviceTable
    var pause: Duration = .seconds(1)

    /// Sends at most three times, and never so that a notification can be delivered twice.
    func send(_ notification: APNSNotification) async throws -> Bool {
        for attempt in 1...3 {
            var wait = pause * (attempt * attempt)
            do {
                guard case .refused(let refusal) = try await sender.send(notification) else { return true }
                if refusal.reason == .unregistered || refusal.reason == .expiredToken {
                    await devices.remove(notification.deviceToken, unlessReportedAfter: refusal.timestamp ?? .max)
                }
                guard [.later, .onNewConnection].contains(refusal.reason.retry) else { return false }
                wait = refusal.retryAfter ?? wait
            } catch {
                guard error.isSafeToRetry, error.code != .invalidNotification, attempt < 3 else { throw error }
            }
            guard attempt < 3 else { break }
            try await Task.sleep(for: wait)
        }
        return false
    }
}

/// Needs a source of notifications.
func sendMany(_ notifications: AsyncStream<APNSNotification>, _ sender: PushProvider, _ devices: any DeviceTable)
    async throws
{
    for try await result in sender.send(all: notifications) {
        if case .refused(let refusal) = result.outcome, refusal.reason == .unregistered {
            await devices.remove(result.notification.deviceToken, unlessReportedAfter: refusal.timestamp ?? .max)
        }
    }
}
