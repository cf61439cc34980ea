package import PushDispatch

/// A field of an object that does not exist as far as a user can tell.
package struct HiddenField: Hashable, Sendable {
    package let object: String
    package let field: String
    /// Nil hides it from everybody.
    package let user: RecordID?

    package init(_ object: String, _ field: String, from user: RecordID? = nil) {
        self.object = object
        self.field = field
        self.user = user
    }
}
