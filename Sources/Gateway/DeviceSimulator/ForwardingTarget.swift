import Foundation
import PayloadJSON

/// Where a simulated device forwards its deliveries.
public enum ForwardingTarget: Hashable, Sendable {
    /// A booted iOS simulator, by `xcrun simctl push`.
    ///
    /// - Parameters:
    ///   - device: Its UDID or name, or `booted`.
    ///   - bundleID: The app there; nil for the app of the notification.
    case simulator(device: String, bundleID: String?)
    /// A program, run by `/bin/sh -c` for each delivery, with the envelope on its standard input.
    ///
    /// - Parameter printsToErrors: Whether its output goes to our standard error, because a script reads our output.
    case command(String, printsToErrors: Bool)

    /// For messages.
    public var name: String {
        switch self {
        case .simulator(let device, _): "the simulator \(device)"
        case .command: "the command"
        }
    }

    /// Why this target can never accept a delivery.
    struct Rejection: Error, Hashable {
        var message: String
    }

    /// The program to run for a delivery.
    ///
    /// - Parameter environment: The variables of this process.
    func program(
        for push: DeliveredPush, attempt: Int, environment: [String: String]
    ) throws(Rejection) -> ChildProgram {
        switch self {
        case .command(let command, let printsToErrors):
            // The envelope ends with a line feed, so that programs can append lines to a file.
            return ChildProgram(
                file: "/bin/sh", arguments: ["-c", command],
                environment: ForwardingTarget.environment(for: push, attempt, environment),
                input: .standardInput(push.envelope + [UInt8(ascii: "\n")]),
                output: printsToErrors ? .toErrors : .passedOn)
        case .simulator(let device, let bundleID):
            guard let xcrun = ChildProgram.find("xcrun", path: environment["PATH"] ?? "") else {
                throw Rejection(message: ForwardingTarget.noXcrun)
            }
            let target = try ForwardingTarget.bundleID(of: push, bundleID)
            return ChildProgram(
                file: xcrun, arguments: ["simctl", "push", device, target], environment: environment,
                input: .file(try ForwardingTarget.simulatorPayload(push, target), suffix: ".apns"), output: .kept)
        }
    }

    /// What this machine lacks for the target; nil for nothing.
    public func missing(path: String) -> String? {
        guard case .simulator = self, ChildProgram.find("xcrun", path: path) == nil else { return nil }
        return ForwardingTarget.noXcrun
    }

    private static let noXcrun =
        "there is no xcrun on the PATH; simulators need a Mac with Xcode"

    /// Our variables and those of the delivery. A variable of a value that the delivery lacks is removed.
    static func environment(
        for push: DeliveredPush, _ attempt: Int, _ own: [String: String]
    ) -> [String: String] {
        var all = own
        let facts: [(String, String?)] = [
            ("APNS_UNIQUE_ID", push.uniqueID), ("APNS_ID", push.apnsID), ("APNS_REQUEST_ID", push.requestID),
            ("APNS_PUSH_TYPE", push.pushType), ("APNS_TOPIC", push.topic), ("APNS_PRIORITY", push.priority),
            ("APNS_EXPIRATION", push.expiration), ("APNS_COLLAPSE_ID", push.collapseID),
            ("APNS_CHANNEL_ID", push.channelID), ("APNS_DEVICE_TOKEN", push.shortToken),
            ("APNS_ATTEMPT", "\(attempt)"),
        ]
        for (name, value) in facts { all[name] = value }
        return all
    }

    private static func bundleID(of push: DeliveredPush, _ given: String?) throws(Rejection) -> String {
        let topic = push.topic ?? ""
        let kinds = ["", "alert", "background"]
        guard kinds.contains(push.pushType ?? "") else {
            throw Rejection(
                message: "simctl takes alert and background pushes only, and this one is of the type "
                    + (push.pushType ?? "unknown"))
        }
        guard let bundleID = given ?? (topic.isEmpty ? nil : topic) else {
            throw Rejection(message: "the delivery names no topic; give the bundle id of the app that it is for")
        }
        return bundleID
    }

    /// The payload with the key that names the app, as in a file for a simulator. simctl accepts 4096 bytes, and it is not
    /// documented whether that key counts. So a payload that would become too long is not changed; the app is an argument as
    /// well.
    static func simulatorPayload(_ push: DeliveredPush, _ bundleID: String) throws(Rejection) -> [UInt8] {
        guard let document = try? JSONDocument(push.payload), document.kind(of: .root) == .object,
            let aps = document.member("aps", of: .root), document.kind(of: aps) == .object
        else {
            throw Rejection(message: "simctl takes a JSON object with an object under the key aps, and this has none")
        }
        guard document.member(named: ForwardingTarget.simulatorKey, of: .root) == nil,
            let open = push.payload.firstIndex(of: UInt8(ascii: "{"))
        else { return push.payload }
        let key = Array("\(JSONWriter.quoted(ForwardingTarget.simulatorKey)):\(JSONWriter.quoted(bundleID)),".utf8)
        guard push.payload.count + key.count <= 4096 else { return push.payload }
        var payload = push.payload
        payload.insert(contentsOf: key, at: open + 1)
        return payload
    }

    private static let simulatorKey = "Simulator Target Bundle"
}
