import APNSModel
import DeviceSimulator
import PushDispatch

/// Asks a simulated org for the devices of a user, over the REST interface that an app uses.
struct PersonRegistry: Sendable {
    var user: String
    /// `http://host:port`.
    var org: String

    /// A page has up to 2,000 rows, so no person has more pages.
    private static let maximumPages = 50
    private static let maximumPageBytes = 8 << 20

    /// - Throws: An error that says what to do where there is no org, no such user or no device.
    func devices(of topic: Topic?) async throws -> PersonDevices {
        var endpoint = OrgEndpoint()
        endpoint.at = org
        let login = try await endpoint.call("POST", "login", ["user": .string(user)])
        guard let session = login.object?["access_token"]?.string,
            let address = ControlEndpoint(url: org, token: session)
        else { throw CommandError("\(org) gave no access token for \(shownUser): is it an org?") }
        let client = ControlClient(endpoint: address)
        let query =
            "SELECT ConnectionToken, ServiceType, ApplicationBundle FROM MobilePushServiceDevice ORDER BY Id"
        var path: String? = "/services/data/\(OrgEndpoint.version)/query?q=\(OrgEndpoint.encoded(query))"
        var rows: [JSONValue] = []
        var pages = 0
        while let next = path {
            guard pages < PersonRegistry.maximumPages else {
                throw CommandError("the org has too many devices of \(shownUser); use --tokens")
            }
            pages += 1
            let page = try await page(client, next)
            rows += page["records"]?.array ?? []
            path = page["nextRecordsUrl"]?.string
        }
        let devices = PersonDevices(rows)
        guard !devices.devices.isEmpty else {
            throw CommandError(
                "the org at \(org) has no device of \(shownUser): register one with "
                    + "APNS_ORG_TOKEN=$(\(ShellText.command) org login \(ShellText.word(user))) "
                    + "\(ShellText.command) device --org \(org)")
        }
        return try devices.of(topic, user: shownUser)
    }

    private var shownUser: String { PlainText.safe(ShownText.cut(user, to: 80)) }

    private func page(_ client: ControlClient, _ path: String) async throws -> [String: JSONValue] {
        let response: ControlClient.Response
        do {
            response = try await client.call(method: "GET", path, limit: PersonRegistry.maximumPageBytes)
        } catch let error as DeviceError where error.code == .tooLarge {
            throw CommandError("\(error.detail) to the query for the devices of \(shownUser); use --tokens")
        } catch let error as DeviceError {
            throw OrgEndpoint.failure(error.code, error.detail, at: client.endpoint)
        }
        let limits = JSONLimits(
            maximumBytes: PersonRegistry.maximumPageBytes, maximumDepth: 32, maximumValues: 200_000)
        guard response.status == 200, let page = (try? JSONReader.read(response.body, limits: limits))?.object else {
            throw CommandError("the org answered \(response.status) to the query for the devices of \(shownUser)")
        }
        return page
    }
}
