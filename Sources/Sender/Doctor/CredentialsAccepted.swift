/// Whether it is known that the credentials are accepted. Only then a push is sent to a device token that was given: a fault
/// of the credentials says nothing about it, and errors count against a connection.
package enum CredentialsAccepted {
    package static func by(_ connection: ConnectionEvidence?) -> Bool {
        connection?.impossible.map { CredentialAnswer($0) == .accepted } ?? false
    }
}
