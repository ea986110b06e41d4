// The part of sd-bus's interface that the package uses. libsystemd is loaded with the first call: see systemd.c. The interface of
// libsystemd.so.0 never changes, so the package builds without its headers.
#include <stdint.h>

typedef struct sd_bus sd_bus;
typedef struct sd_bus_message sd_bus_message;
typedef struct sd_bus_slot sd_bus_slot;
typedef struct sd_event sd_event;

typedef struct {
    const char *name;
    const char *message;
    int _need_free;
} sd_bus_error;

typedef int (*sd_bus_message_handler_t)(sd_bus_message *message, void *context, sd_bus_error *error);

int sd_bus_new(sd_bus **bus);
int sd_bus_set_address(sd_bus *bus, const char *address);
int sd_bus_set_bus_client(sd_bus *bus, int is_client);
int sd_bus_start(sd_bus *bus);
int sd_bus_attach_event(sd_bus *bus, sd_event *event, int priority);
int sd_bus_detach_event(sd_bus *bus);
int sd_bus_is_open(sd_bus *bus);
sd_bus *sd_bus_close_unref(sd_bus *bus);

int sd_bus_send(sd_bus *bus, sd_bus_message *message, uint64_t *cookie);
int sd_bus_call_async(
    sd_bus *bus, sd_bus_slot **slot, sd_bus_message *message, sd_bus_message_handler_t receive, void *context,
    uint64_t microseconds);
int sd_bus_add_match_async(
    sd_bus *bus, sd_bus_slot **slot, const char *rule, sd_bus_message_handler_t receive,
    sd_bus_message_handler_t installed, void *context);
int sd_bus_add_object(
    sd_bus *bus, sd_bus_slot **slot, const char *path, sd_bus_message_handler_t receive, void *context);
int sd_bus_reply_method_error(sd_bus_message *call, const sd_bus_error *error);

int sd_bus_message_new_method_call(
    sd_bus *bus, sd_bus_message **message, const char *destination, const char *path, const char *interface,
    const char *member);
int sd_bus_message_new_method_return(sd_bus_message *call, sd_bus_message **message);
int sd_bus_message_new_signal(
    sd_bus *bus, sd_bus_message **message, const char *path, const char *interface, const char *member);
int sd_bus_message_set_auto_start(sd_bus_message *message, int starts);
sd_bus_message *sd_bus_message_ref(sd_bus_message *message);
sd_bus_message *sd_bus_message_unref(sd_bus_message *message);

const char *sd_bus_message_get_sender(sd_bus_message *message);
const char *sd_bus_message_get_interface(sd_bus_message *message);
const char *sd_bus_message_get_member(sd_bus_message *message);
const sd_bus_error *sd_bus_message_get_error(sd_bus_message *message);
int sd_bus_message_is_method_call(sd_bus_message *message, const char *interface, const char *member);
int sd_bus_message_is_method_error(sd_bus_message *message, const char *name);

int sd_bus_message_append_basic(sd_bus_message *message, char type, const void *value);
int sd_bus_message_open_container(sd_bus_message *message, char type, const char *contents);
int sd_bus_message_close_container(sd_bus_message *message);
int sd_bus_message_read_basic(sd_bus_message *message, char type, void *value);
int sd_bus_message_peek_type(sd_bus_message *message, char *type, const char **contents);
int sd_bus_message_enter_container(sd_bus_message *message, char type, const char *contents);
int sd_bus_message_exit_container(sd_bus_message *message);
int sd_bus_message_skip(sd_bus_message *message, const char *types);

int sd_bus_error_set(sd_bus_error *error, const char *name, const char *message);
void sd_bus_error_free(sd_bus_error *error);

int sd_event_new(sd_event **event);
int sd_event_get_fd(sd_event *event);
int sd_event_run(sd_event *event, uint64_t microseconds);
sd_event *sd_event_unref(sd_event *event);
