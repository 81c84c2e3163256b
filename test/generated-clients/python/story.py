# The main story with a client that openapi-generator makes for Python. Arguments: the address of the API and a sandbox key.
import sys

from openapi_client import AccountApi, ApiClient, Configuration, ContractsApi, ContractType, CreateContract, PartyInput
from openapi_client.exceptions import ApiException

client = ApiClient(Configuration(host=sys.argv[1], api_key={"apiKey": sys.argv[2]}))
contracts = ContractsApi(client)


def until_signed(id):
    """Waits until everyone has signed, by long polls."""
    known = {}
    while True:
        try:
            answer = contracts.get_contract_with_http_info(id, **known)
            if answer.data.contract.status == "signed":
                return answer.data.contract
            known = {"if_none_match": answer.headers["etag"], "prefer": "wait=10"}
        except ApiException as error:
            if error.status != 304:
                raise


def refusal_of(call):
    """The error that a call is refused with."""
    try:
        call()
    except ApiException as error:
        return error.data
    raise AssertionError("the call was not refused")


def party(tag):
    return PartyInput(role=tag, legal_name=f"The {tag}", email=f"signs+{tag}@simulator.test")


def contract_of(make, *parties):
    return make(contract_type=ContractType("sales-agreement"), content="SALE\n\nA bicycle.", parties=list(parties))


assert AccountApi(client).get_status().key.environment == "sandbox"
created = contracts.create_contract(contract_of(CreateContract, party("buyer"), party("seller")), idempotency_key="python-1").contract
assert len(until_signed(created.id).signatures) == 2
unknown = refusal_of(lambda: contracts.get_contract("contract-1795183380000-k3v9x2m1q"))
assert unknown.code == sys.argv[3], unknown.code
# Without its own check, the client sends what the document forbids.
refused = refusal_of(lambda: contracts.create_contract(contract_of(CreateContract.model_construct, party("buyer"))))
assert refused.issues[0].path == "parties"
print("story passed")
