package import PushDispatch

/// A field that does not exist for a user, although the object has it.
package struct HiddenField: Hashable, Sendable {
    package let object: String
    package let field: String
    /// Nil hides the field from all users.
    package let user: RecordID?

    package init(_ object: String, _ field: String, from user: RecordID? = nil) {
        self.object = object
        self.field = field
        self.user = user
    }
}
