package import GatewayTesting

extension TestGateway {
    /// How many entries a list of the control API has in all.
    package func total(_ path: String) async throws -> Int? {
        try await control.call("GET", path).json["total"] as? Int
    }

    /// Registers a device with the control API of a world. The first use of a world makes it.
    package func register(_ deviceToken: String, world: String) async throws {
        let devices = "/w/\(world)/api/devices"
        let answer = try await control.call("POST", devices, #"{"topic":"\#(topic)","token":"\#(deviceToken)"}"#)
        guard answer.status == 201, answer.headers["location"] == "\(devices)/\(deviceToken)" else {
            throw NotRegistered(status: answer.status, body: answer.body)
        }
    }

    package struct NotRegistered: Error {
        package let status: Int
        package let body: String
    }
}
