import APNSModel
import GatewayCore
import GatewayJSON
import GatewayRuntime
import PayloadJSON

extension ControlAPI {
    private static let maximumPage = 1000

    func devices(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        let parameters = request.parameters
        let environment = try environment(parameters)
        let limit = try limit(parameters, maximum: ControlAPI.maximumPage) ?? 100
        let cursor = try cursor(parameters)
        // One more than requested shows whether there is a next page.
        let (total, found) = state.read { world, _ in
            world.devices(in: environment, after: cursor, limit: limit + 1)
        }
        let page = found.prefix(limit)
        return .ok(
            .object { object in
                object.add("total", total)
                object.add("devices", .array(page.map(\.json)))
                object.addOrNull("next", found.count > limit ? page.last.map { "\($0.ordinal)" } : nil)
            })
    }

    func registerDevice(_ request: ControlRequest) throws -> ControlAnswer {
        let body = try ControlBody(request.body, keys: ["topic", "token", "environment", "kind"])
        let device = try state.register(
            DeviceRegistration(
                topic: try body.required("topic", "com.example.agent"), token: try body.string("token"),
                environment: try body.word("environment") ?? state.environment, kind: try body.word("kind")))
        return .created(device.json, at: base + "/api/devices/\(device.token.hex)")
    }

    func device(_ text: String, _ request: ControlRequest) throws(Problem) -> ControlAnswer {
        let (token, environment) = try address(text, request)
        guard let device = state.read({ world, _ in world.device(token, in: environment) }) else {
            throw .noDevice(token.shortened)
        }
        return .ok(device.json)
    }

    func patchDevice(_ text: String, _ request: ControlRequest) throws -> ControlAnswer {
        let (token, environment) = try address(text, request)
        let body = try ControlBody(request.body, keys: DevicePatch.keys + ["channels"])
        let patch = DevicePatch(
            isOnline: try body.bool("online"), isAwake: try body.bool("awake"),
            isInLowPower: try body.bool("low-power"), isInLowData: try body.bool("low-data"),
            allowsBackgroundRefresh: try body.bool("background-refresh"),
            allowsNotifications: try body.bool("notifications"), appState: try body.word("app-state"),
            budget: try budget(body), expiresAt: try expiry(body))
        let channels = try body.strings("channels")
        guard let device = try state.patch(token, in: environment, patch, channels: channels) else {
            throw Problem.noDevice(token.shortened)
        }
        return .ok(device.json)
    }

    func uninstall(_ text: String, _ request: ControlRequest) throws(Problem) -> ControlAnswer {
        let (token, environment) = try address(text, request)
        var noticed: Int64?
        if let text = request.parameters["noticed-after"] {
            noticed = TimeText.milliseconds(ofDuration: text)
            guard let noticed, noticed >= 0 else {
                throw .badRequest("the query parameter \"noticed-after\" must be a duration such as 10m")
            }
        }
        guard state.uninstall(token, in: environment, noticedAfter: noticed) != nil else {
            throw .noDevice(token.shortened)
        }
        return .noContent
    }

    /// Gives the app a new device token and invalidates the old one.
    func changeToken(_ text: String, by change: DeviceTokenChange, _ request: ControlRequest) throws -> ControlAnswer {
        let (token, environment) = try address(text, request)
        let body = request.body.isEmpty ? nil : try ControlBody(request.body, keys: ["noticed-after"])
        let noticed = try body?.duration("noticed-after")
        if let body, let noticed, noticed < 0 { throw body.wrong("noticed-after", "a duration that is not negative") }
        guard let device = try state.changeToken(of: token, in: environment, by: change, noticedAfter: noticed) else {
            throw Problem.noDevice(token.shortened)
        }
        return .created(device.json, at: base + "/api/devices/\(device.token.hex)")
    }

    private func expiry(_ body: ControlBody) throws(Problem) -> Int64? {
        if body.kind("expires") == .string, try body.string("expires") == "never" { return .max }
        return try body.time("expires", or: ", or \"never\"")
    }

    private func budget(_ body: ControlBody) throws(Problem) -> Device.BudgetChoice? {
        guard let text = try body.string("budget") else { return nil }
        guard let choice = BudgetText.choice(text) else {
            throw body.wrong("budget", "\(BudgetText.wanted), or unlimited, or default")
        }
        return choice
    }

    func deliveries(_ text: String, _ request: ControlRequest) throws(Problem) -> ControlAnswer {
        let (token, environment) = try address(text, request)
        let last = request.lastEventID.flatMap { $0.isEmpty ? nil : $0 }
        return .deliveries(state, token, environment, after: last)
    }

    private func address(
        _ text: String, _ request: ControlRequest
    ) throws(Problem) -> (token: DeviceToken, environment: APNSEnvironment) {
        (try deviceToken(text), try environment(request.parameters))
    }

    func deviceToken(_ text: String) throws(Problem) -> DeviceToken {
        guard let token = DeviceToken(text) else {
            throw .badRequest(
                "\"\(DeviceToken.shorten(text))\" is not a device token; send an even number of hexadecimal digits")
        }
        return token
    }
}
